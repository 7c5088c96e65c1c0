# SPDX-License-Identifier: GPL-2.0-only
# Build the devices of the emulated servers: a PCIe root with expander buses, a
# virtio disk for a whole Debian, and the models of this directory.
CONFIG_Q35=y
CONFIG_CXL=y
CONFIG_CXL_MEM_DEVICE=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_BLK=y
CONFIG_EDU=y
CONFIG_PXB=y
CONFIG_PCIE_PORT=y
