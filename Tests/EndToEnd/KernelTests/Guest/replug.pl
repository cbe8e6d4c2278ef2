# Unplugs a virtual key and plugs it in again: two requests to the device's socket, whose path is the argument. The
# program's own command, `touchstone device power-cycle`, takes two seconds to start under emulation. The
# script uses no module of Perl because the guest has none.
my ($AF_UNIX, $SOCK_STREAM) = (1, 1);

for my $request ('{"unplug":{}}', '{"plugIn":{}}') {
    socket(my $device, $AF_UNIX, $SOCK_STREAM, 0) or die "socket: $!\n";
    connect($device, pack('S a108', $AF_UNIX, $ARGV[0])) or die "$ARGV[0]: $!\n";
    syswrite($device, "$request\n") or die "$ARGV[0]: $!\n";
    sysread($device, my $answer, 65536) or die "$ARGV[0] gives no answer\n";
    die $answer if $answer =~ /"error"|"refusal"/;
    close $device;
}
