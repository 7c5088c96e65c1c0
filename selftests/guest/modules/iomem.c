// SPDX-License-Identifier: GPL-2.0-only
/*
 * Map memory at physical addresses without a driver, by mmap() of /dev/iomem,
 * for tests on kernels without /dev/mem. There are no checks, so the module is
 * only for guests.
 */
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>

static int iomem_mmap(struct file *file, struct vm_area_struct *vma)
{
	return io_remap_pfn_range(vma, vma->vm_start, vma->vm_pgoff,
				  vma->vm_end - vma->vm_start,
				  pgprot_noncached(vma->vm_page_prot));
}

static const struct file_operations iomem_fops = {
	.owner = THIS_MODULE, .mmap = iomem_mmap,
};

static struct miscdevice iomem = {
	.minor = MISC_DYNAMIC_MINOR, .name = "iomem", .fops = &iomem_fops,
};
module_misc_device(iomem);

MODULE_DESCRIPTION("Memory at physical addresses, for tests");
MODULE_LICENSE("GPL");
