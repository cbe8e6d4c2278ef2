extension NeedFinding.Remedy {
    /// The steps to a part that works, the best one first.
    static func all(
        for need: MachineNeed, _ sighting: Sighting, _ state: NeedFinding.State, in surroundings: MachineSurroundings
    ) -> [NeedFinding.Remedy] {
        switch state {
        case .works, .notOnThisSystem: []
        case .missing: missing(need, sighting, surroundings)
        case .stopped: resting(need, surroundings)
        case .notPermitted: permission(need, sighting, surroundings)
        case .inUse: [.init("choose another port with \(need.port?.option ?? "--port")")]
        case .unsuitable: unsuitable(need, sighting, surroundings)
        }
    }

    private static func missing(
        _ need: MachineNeed, _ sighting: Sighting, _ surroundings: MachineSurroundings
    ) -> [NeedFinding.Remedy] {
        switch need {
        case .uhid:
            [
                .init("load the kernel's module", need.activation.map(surroundings.asRoot)),
                .init("in a container, load it on the host and give the container the device: --device /dev/uhid"),
            ]
        case .udevRule: [.init("install the rule", UdevRule.installation(isRoot: surroundings.isRoot))]
        case .usbKey: [.init("plug a key in, or use a virtual one, such as --device virtual:yubikey-5-nfc-5.7")]
        case .reader: [.init("plug a reader in")]
        case .display, .xDisplay: display(need, sighting, surroundings)
        case .bluetooth:
            [.init("plug an adapter in"), .init("where BlueZ is missing", installation(need, surroundings).command)]
        case .systemBus: service(need, "dbus", surroundings)
        case .loopback: [.init("switch it on", surroundings.asRoot("ip link set lo up"))]
        default: [installation(need, surroundings)] + (need.facts.otherwise.map { [.init("or \($0)")] } ?? [])
        }
    }

    /// A desktop session, or a display without a screen.
    private static func display(
        _ need: MachineNeed, _ sighting: Sighting, _ surroundings: MachineSurroundings
    ) -> [NeedFinding.Remedy] {
        let desktop = NeedFinding.Remedy("run the command in a desktop session")
        let bare = need.uses.first { $0.needs.contains(need) }.map { "xvfb-run \($0.command)" }
        guard case .replaceable = sighting else {
            return [
                desktop,
                .init(
                    "or install xvfb-run and write it before the command",
                    need.facts.packages?.command(in: surroundings)),
            ]
        }
        return [desktop, .init("or without a screen, with xvfb-run before it", bare)]
    }

    private static func resting(_ need: MachineNeed, _ surroundings: MachineSurroundings) -> [NeedFinding.Remedy] {
        switch need {
        case .pcscd, .reader:
            let command = surroundings.hasSystemd ? "systemctl enable --now pcscd.socket" : "pcscd"
            return [.init("start pcscd", surroundings.asRoot(command))]
        case .virtualReader:
            let command = surroundings.hasSystemd ? "systemctl restart pcscd" : "pcscd"
            let words = surroundings.hasSystemd ? "restart pcscd, which loads it" : "end a running pcscd, and start it"
            return [.init(words, surroundings.asRoot(command))]
        case .bluetooth: return [.init("switch the adapter on", need.activation)]
        default: return []
        }
    }

    private static func permission(
        _ need: MachineNeed, _ sighting: Sighting, _ surroundings: MachineSurroundings
    ) -> [NeedFinding.Remedy] {
        switch need {
        case .uhid, .usbKey:
            surroundings.isRoot
                ? [.init("in a container, give it the device with --device")]
                : [.init("install the udev rule", UdevRule.installation())]
        case .pcscd: [.init("allow it with a rule of polkit for org.debian.pcsc-lite.access_pcsc")]
        default: folder(need)
        }
    }

    private static func unsuitable(
        _ need: MachineNeed, _ sighting: Sighting, _ surroundings: MachineSurroundings
    ) -> [NeedFinding.Remedy] {
        need.programs.isEmpty ? folder(need) : [installation(need, surroundings)]
    }

    /// Another folder.
    private static func folder(_ need: MachineNeed) -> [NeedFinding.Remedy] {
        switch need {
        case .temporaryFiles: [.init("choose a folder of yours with room", "export TMPDIR=FOLDER")]
        case .runningDevices: [.init("choose a folder of yours", "export TOUCHSTONE_RUNTIME=FOLDER")]
        case .keptFiles: [.init("choose a folder of yours", "export XDG_STATE_HOME=FOLDER")]
        default: []
        }
    }

    private static func service(
        _ need: MachineNeed, _ name: String, _ surroundings: MachineSurroundings
    ) -> [NeedFinding.Remedy] {
        let start = surroundings.hasSystemd ? "systemctl start \(name)" : "service \(name) start"
        return [installation(need, surroundings), .init("and start it", surroundings.asRoot(start))]
    }

    private static func installation(
        _ need: MachineNeed, _ surroundings: MachineSurroundings
    ) -> NeedFinding.Remedy {
        let command = need.facts.packages?.command(in: surroundings)
        return .init(command == nil ? "install it with the system's packages" : "install it", command)
    }
}
