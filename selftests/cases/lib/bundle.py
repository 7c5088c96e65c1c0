#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""bundle SECCOMP NAME=VALUE...: print OCI's config.json for the first container of the
DaemonSet. Sources are its securityContext and mounts, the Containerfile, and SECCOMP, the file
of podman's seccomp profile. NAME=VALUE changes a field of the securityContext, args= the arguments;
old= keeps podman's rule for perf_event_open(). Fail if parts of the DaemonSet disagree."""

import json
import pathlib
import re
import sys

import yaml

METRICS = pathlib.Path(__file__).resolve().parents[3] / "tools/metrics"


def servers():
    """Return (family, model) of each server in uncore.rst's table, without the clients."""
    text = (METRICS.parents[1] / "Documentation/admin-guide/uncore.rst").read_text()
    return set(re.findall(r"^[A-Z][A-Za-z]+ [A-Z][a-zD ]+?  +(\d+), (\d+) +``(?!ptl|nvl)", text, re.M))


def pod():
    """Return the spec of the DaemonSet's pods; assert that its parts agree."""
    d = yaml.safe_load((METRICS / "openpmon-daemonset.yaml").read_text())
    assert (d["apiVersion"], d["kind"]) == ("apps/v1", "DaemonSet"), "not a DaemonSet"
    template = d["spec"]["template"]
    labels = template["metadata"]["labels"]
    assert d["spec"]["selector"]["matchLabels"].items() <= labels.items(), "its own pods"
    spec = template["spec"]
    volumes = {v["name"]: v for v in spec["volumes"]}
    wait, count = spec["initContainers"][0], spec["containers"][0]
    assert all(wait[k] == count[k] for k in ("image", "securityContext")), "another right"
    chosen = [{e["key"].rpartition(".")[2]: e["values"] for e in t["matchExpressions"]}
              for t in spec["affinity"]["nodeAffinity"][
                  "requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]]
    assert {(t["family"][0], i) for t in chosen for i in t["id"]} == servers(), "other processors"
    for c in spec["initContainers"] + spec["containers"]:
        assert c["resources"]["limits"]["memory"] and c["resources"]["requests"], c["name"]
        assert re.fullmatch("[a-z0-9-]+", c["name"]) and ":" in c["image"], c["name"]
        assert {m["name"] for m in c["volumeMounts"]} <= set(volumes), "a volume is missing"
        assert c["securityContext"]["runAsNonRoot"] and c["securityContext"]["runAsUser"]
    assert all(v.get("emptyDir") == {} for v in volumes.values()), "of the host"
    assert not {"hostPID", "hostNetwork", "hostIPC"} & set(spec), "of the host"
    return spec


def image():
    """Return the Containerfile's instructions by name: the last one of each name."""
    text = (METRICS / "Containerfile").read_text().replace("\\\n", " ")
    found = dict(re.findall(r"^([A-Z]+) +(.*)$", text, re.M))
    return {k: json.loads(v) if v.startswith("[") else v for k, v in found.items()}


def seccomp(path, caps, old):
    """Return the profile for a container that has these capabilities, on x86-64."""
    profile = json.loads(pathlib.Path(path).read_text())

    def counts(rule):
        has, lacks = rule.get("includes") or {}, rule.get("excludes") or {}
        return (set(has.get("caps", [])) <= caps and not set(lacks.get("caps", [])) & caps and
                ("arches" not in has or "amd64" in has["arches"]))

    rules = [{k: r[k] for k in ("names", "action", "args", "errnoRet") if r.get(k)}
             for r in profile["syscalls"] if counts(r)]
    # CAP_PERFMON permits perf_event_open() in containerd since its pull request 7301, in podman
    # since pull request 2534 of containers/common. Debian 12's profile requires CAP_SYS_ADMIN.
    if "CAP_PERFMON" in caps and not old:
        for r in rules:
            r["names"] = [n for n in r["names"] if n != "perf_event_open"]
        rules.append({"names": ["perf_event_open"], "action": "SCMP_ACT_ALLOW"})
    return {"defaultAction": profile["defaultAction"],
            "defaultErrnoRet": profile.get("defaultErrnoRet", 1),
            "architectures": ["SCMP_ARCH_X86_64"], "syscalls": rules}


def config(profile, changes):
    spec = pod()
    container = spec["containers"][0]
    context = spec["securityContext"] | container["securityContext"] | changes
    made = image()
    assert made["USER"] == f"{context['runAsUser']}:{context['runAsGroup']}", "another user"
    assert context["capabilities"]["drop"] == ["ALL"]
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    caps = ["CAP_" + c for c in context["capabilities"].get("add", [])]
    bound = [{"destination": m["mountPath"], "source": f"/root/{m['name']}", "type": "bind",
              "options": ["rbind", "ro" if m.get("readOnly") else "rw"]}
             for m in container["volumeMounts"]]
    return {
        "ociVersion": "1.0.2",
        "root": {"path": "image", "readonly": context["readOnlyRootFilesystem"]},
        "process": {
            "user": {"uid": context["runAsUser"], "gid": context["runAsGroup"],
                     "additionalGids": context["supplementalGroups"]},
            "args": made["ENTRYPOINT"] + (changes.get("args") or made["CMD"]),
            "cwd": "/",
            "noNewPrivileges": not context["allowPrivilegeEscalation"],
            "capabilities": {"bounding": caps, "permitted": caps, "effective": caps},
        },
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs"},
            {"destination": "/sys", "type": "sysfs", "source": "sysfs",
             "options": ["nosuid", "noexec", "nodev", "ro"]},
        ] + bound,
        "linux": {
            "namespaces": [{"type": t} for t in ("pid", "ipc", "uts", "mount", "network")],
            # Mask the paths that containerd and podman mask.
            "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/sys/firmware",
                            "/sys/devices/virtual/powercap"],
            "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys"],
            "seccomp": seccomp(profile, set(caps), changes.get("old")),
        },
    }


changed = {k: json.loads(v) for k, v in (a.split("=", 1) for a in sys.argv[2:])}
json.dump(config(sys.argv[1], changed), sys.stdout)
