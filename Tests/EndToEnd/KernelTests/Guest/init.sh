#!/bin/busybox sh
# shellcheck shell=dash
# The first program of the guest: mounts the file systems, loads UHID, and runs the scripts that come over the second
# serial line, one line of base64 each, answering with the exit status and the output in base64.
/bin/busybox mkdir -p /usr/bin /usr/sbin
/bin/busybox --install -s
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts none /dev/pts
mount -t tmpfs none /dev/shm
mount -t tmpfs none /tmp
ln -s /proc/self/fd /dev/fd
for module in hid uhid hid-generic; do insmod "/modules/$module.ko"; done
ip link set lo up
export PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root
cd /root || exit
stty -F /dev/ttyS1 raw -echo
exec < /dev/ttyS1 > /dev/ttyS1
echo ready
while read -r line; do
    echo "$line" | base64 -d > /tmp/.script
    # Without a terminal, so that programs that would ask there read standard input.
    setsid sh /tmp/.script > /tmp/.output 2>&1 < /dev/null
    echo "$? $(base64 -w0 < /tmp/.output)"
done
