// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load the machine: "-device pmon-server,plan=FILE[,log=FILE]".  QEMU must create
 * this device before all other devices of the machine.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/qdev-properties.h"
#include "hook.h"
#include "pmon.h"

#define TYPE_PMON_SERVER "pmon-server"
OBJECT_DECLARE_SIMPLE_TYPE(PmonServer, PMON_SERVER)

struct PmonServer {
	DeviceState parent;
	char *plan, *log;
};

int pmon_root_node(void)
{
	return pmon_machine ? pmon_machine->root_node : -1;
}

bool pmon_present(void)
{
	return pmon_machine;
}

static void server_realize(DeviceState *dev, Error **errp)
{
	PmonServer *s = PMON_SERVER(dev);

	if (!s->plan || pmon_machine) {
		error_setg(errp, "one pmon-server with plan=FILE is needed");
		return;
	}
	if (s->log && !pmon_log_open(s->log, errp))
		return;
	pmon_machine_load(s->plan, errp);
}

static const Property server_properties[] = {
	DEFINE_PROP_STRING("plan", PmonServer, plan),
	DEFINE_PROP_STRING("log", PmonServer, log),
};

static void server_class_init(ObjectClass *klass, void *data)
{
	DeviceClass *k = DEVICE_CLASS(klass);

	k->realize = server_realize;
	k->user_creatable = true;
	k->hotpluggable = false;
	device_class_set_props(k, server_properties);
}

static const TypeInfo server_info = {
	.name = TYPE_PMON_SERVER,
	.parent = TYPE_DEVICE,
	.instance_size = sizeof(PmonServer),
	.class_init = server_class_init,
};

static void server_register(void)
{
	type_register_static(&server_info);
}

type_init(server_register)
