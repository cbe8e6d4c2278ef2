import MachineNeeds
import Testing

@Suite("The judgement of a part")
struct FindingTests {
    static let surroundings: [String: MachineSurroundings] = [
        "user": here(.debian), "root": here(.debian, isRoot: true), "no systemd": here(.debian, hasSystemd: false),
        "fedora": here(.fedora), "ubuntu": here(.ubuntu), "arch": here(.arch), "mac": here(.macOS),
        "other": here(.other),
    ]

    static func here(
        _ distribution: Distribution, isRoot: Bool = false, hasSystemd: Bool = true
    ) -> MachineSurroundings {
        MachineSurroundings(title: "a system", distribution: distribution, isRoot: isRoot, hasSystemd: hasSystemd)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let need: MachineNeed
        let sighting: Sighting
        var place = "user"
        let state: NeedFinding.State
        /// The commands of the remedies.
        var commands: [String] = []

        var testDescription: String { "\(need.rawValue), \(sighting), \(place)" }
    }

    private static let rule =
        "touchstone doctor --udev-rule | sudo tee /etc/udev/rules.d/70-touchstone.rules > /dev/null && sudo udevadm control "
        + "--reload && sudo udevadm trigger --subsystem-match=hidraw --subsystem-match=misc"

    static let rows: [Row] = [
        // States.
        Row(need: .chromium, sighting: .program(path: "/usr/bin/chromium", version: nil), state: .works),
        Row(need: .display, sighting: .usable("DISPLAY=:0"), state: .works),
        Row(need: .uhid, sighting: .foreign("Linux only"), place: "mac", state: .notOnThisSystem),
        // A program, by distribution.
        Row(need: .chromium, sighting: .absent(""), state: .missing, commands: ["sudo apt install chromium"]),
        Row(
            need: .chromium, sighting: .absent(""), place: "root", state: .missing,
            commands: ["apt install chromium"]),
        Row(
            need: .chromium, sighting: .absent(""), place: "ubuntu", state: .missing,
            commands: ["sudo apt install chromium-browser"]),
        Row(
            need: .codeReader, sighting: .absent(""), place: "fedora", state: .missing,
            commands: ["sudo dnf install zbar"]),
        Row(
            need: .pcscd, sighting: .absent(""), place: "arch", state: .missing,
            commands: ["sudo pacman -S --needed pcsclite ccid"]),
        Row(need: .node, sighting: .absent(""), place: "mac", state: .missing, commands: ["brew install node"]),
        Row(need: .chromium, sighting: .absent(""), place: "other", state: .missing),
        Row(need: .virtualReader, sighting: .absent(""), place: "fedora", state: .missing),
        // Versions.
        Row(need: .node, sighting: .program(path: "/usr/bin/node", version: "v18.20.4"), state: .works),
        Row(need: .node, sighting: .program(path: "/usr/bin/node", version: "v22.1.0"), state: .works),
        Row(
            need: .node, sighting: .program(path: "/usr/bin/node", version: "v16.20.2"), state: .unsuitable,
            commands: ["sudo apt install nodejs"]),
        Row(need: .python, sighting: .program(path: "/usr/bin/python3", version: "Python 3.11.2"), state: .works),
        Row(
            need: .python, sighting: .program(path: "/usr/bin/python3", version: "Python 3.9.2"), state: .unsuitable,
            commands: ["sudo apt install python3"]),
        Row(need: .python, sighting: .program(path: "/usr/bin/python3", version: nil), state: .works),
        // Services at rest.
        Row(
            need: .pcscd, sighting: .resting(""), state: .stopped,
            commands: ["sudo systemctl enable --now pcscd.socket"]),
        Row(need: .pcscd, sighting: .resting(""), place: "no systemd", state: .stopped, commands: ["sudo pcscd"]),
        Row(
            need: .virtualReader, sighting: .resting(""), state: .stopped,
            commands: ["sudo systemctl restart pcscd"]),
        Row(
            need: .virtualReader, sighting: .resting(""), place: "no systemd", state: .stopped, commands: ["sudo pcscd"]
        ),
        Row(
            need: .reader, sighting: .resting(""), state: .stopped,
            commands: ["sudo systemctl enable --now pcscd.socket"]),
        Row(need: .reader, sighting: .absent(""), state: .missing),
        // Displays.
        Row(need: .display, sighting: .absent(""), state: .missing, commands: ["sudo apt install xvfb"]),
        Row(
            need: .display, sighting: .replaceable("", by: "/usr/bin/xvfb-run"), state: .missing,
            commands: ["xvfb-run touchstone browser"]),
        Row(
            need: .xDisplay, sighting: .replaceable("", by: "/usr/bin/xvfb-run"), state: .missing,
            commands: ["xvfb-run touchstone browser --phone"]),
        Row(
            need: .bluetooth, sighting: .resting("hci0 is off"), state: .stopped,
            commands: ["bluetoothctl power on"]),
        Row(
            need: .systemBus, sighting: .absent(""), place: "no systemd", state: .missing,
            commands: ["sudo apt install dbus", "sudo service dbus start"]),
        // Permissions.
        Row(need: .uhid, sighting: .absent(""), state: .missing, commands: ["sudo modprobe uhid"]),
        Row(need: .uhid, sighting: .absent(""), place: "root", state: .missing, commands: ["modprobe uhid"]),
        Row(need: .uhid, sighting: .refused(path: "/dev/uhid"), state: .notPermitted, commands: [rule]),
        Row(need: .usbKey, sighting: .refused(path: "/dev/hidraw0"), state: .notPermitted, commands: [rule]),
        Row(need: .uhid, sighting: .refused(path: "/dev/uhid"), place: "root", state: .notPermitted),
        Row(need: .udevRule, sighting: .absent(""), state: .missing, commands: [rule]),
        // Folders.
        Row(
            need: .runningDevices, sighting: .refused(path: "/run/x"), state: .notPermitted,
            commands: ["export TOUCHSTONE_RUNTIME=FOLDER"]),
        Row(
            need: .temporaryFiles, sighting: .unsuitable(path: "/tmp", "full"), state: .unsuitable,
            commands: ["export TMPDIR=FOLDER"]),
        Row(
            need: .keptFiles, sighting: .refused(path: "/home/x"), state: .notPermitted,
            commands: ["export XDG_STATE_HOME=FOLDER"]),
        // Ports.
        Row(need: .servePort, sighting: .taken(by: "nginx"), state: .inUse),
    ]

    @Test(arguments: rows) func aSightingGetsItsStateAndItsCommands(_ row: Row) throws {
        let finding = NeedFinding(row.need, row.sighting, in: try #require(Self.surroundings[row.place]))
        #expect(finding.state == row.state)
        #expect(finding.remedies.compactMap(\.command) == row.commands)
    }

    @Test(arguments: MachineNeed.allCases) func aPartThatWorksNeedsNoRemedy(_ need: MachineNeed) {
        let finding = NeedFinding(need, .usable("here"), in: Self.here(.debian))
        #expect(finding.state == .works && finding.remedies.isEmpty && finding.detail == "here")
    }

    /// Each distribution, also an unknown one.
    @Test(arguments: MachineNeed.allCases, Distribution.allCases)
    func aMissingPartAlwaysHasARemedy(_ need: MachineNeed, _ distribution: Distribution) {
        let finding = NeedFinding(need, .absent("gone"), in: Self.here(distribution))
        #expect(!finding.remedies.isEmpty && finding.remedies.allSatisfy { !$0.words.isEmpty })
    }

    @Test(arguments: [
        (Sighting.taken(by: "nginx, process 7"), "by nginx, process 7"),
        (.taken(by: nil), "by a program of another user"),
        (.unsuitable(path: "/run/x", "other users can enter it"), "/run/x: other users can enter it"),
        (.program(path: "/usr/bin/node", version: "v16.20.2"), "/usr/bin/node, v16.20.2; 18 or later is needed"),
    ]) func aDetailNamesTheOwnerTheProblemOrTheVersion(_ sighting: Sighting, _ detail: String) {
        #expect(NeedFinding(.node, sighting, in: Self.here(.debian)).detail == detail)
    }

    @Test func aTakenPortIsAvoidedWithTheOptionOfItsCommand() {
        let words = { (need: MachineNeed) in
            NeedFinding(need, .taken(by: nil), in: Self.here(.debian)).remedies.map(\.words)
        }
        #expect(words(.devicePort) == ["choose another port with --udp"])
        #expect(words(.controlPort) == ["choose another port with --port"])
    }
}
