extension MachineNeed {
    var facts: NeedFacts {
        switch self {
        case .loopback: NeedFacts(title: "the loopback interface")
        case .temporaryFiles: NeedFacts(title: "the folder for temporary files")
        case .runningDevices: NeedFacts(title: "the folder of running devices")
        case .keptFiles: NeedFacts(title: "the folder of links and accounts")
        case .chromium:
            NeedFacts(
                title: "Chromium", programs: ["chromium", "chromium-browser"],
                packages: Packages(
                    debian: "chromium", ubuntu: "chromium-browser", fedora: "chromium", arch: "chromium",
                    macOS: "--cask chromium"),
                otherwise: "name its file with --browser")
        case .chromeDriver:
            NeedFacts(
                title: "chromedriver", programs: ["chromedriver"],
                packages: Packages(
                    debian: "chromium-driver", ubuntu: "chromium-chromedriver", fedora: "chromedriver",
                    arch: "chromium", macOS: "--cask chromedriver"),
                otherwise: "name its file with --driver")
        case .firefox:
            NeedFacts(
                title: "Firefox", programs: ["firefox-esr", "firefox"],
                packages: Packages(
                    debian: "firefox-esr", ubuntu: "firefox", fedora: "firefox", arch: "firefox",
                    macOS: "--cask firefox"),
                otherwise: "name its file with --firefox")
        case .display: NeedFacts(title: "a display", packages: Self.xvfb)
        case .xDisplay: NeedFacts(title: "an X display", packages: Self.xvfb)
        case .codeReader:
            NeedFacts(
                title: "zbarimg, which reads QR codes,", programs: ["zbarimg"],
                packages: Packages(debian: "zbar-tools", fedora: "zbar", arch: "zbar", macOS: "zbar"))
        case .busDaemon:
            NeedFacts(
                title: "dbus-daemon", programs: ["dbus-daemon"],
                packages: Packages(debian: "dbus", fedora: "dbus-daemon", arch: "dbus", macOS: "dbus"))
        case .usbKey: NeedFacts(title: "a security key on USB")
        case .udevRule: NeedFacts(title: "the udev rule for keys")
        case .uhid: NeedFacts(title: "UHID")
        case .pcscd:
            NeedFacts(
                title: "pcscd", programs: ["pcscd"],
                packages: Packages(
                    debian: "pcscd", fedora: "pcsc-lite pcsc-lite-ccid", arch: "pcsclite ccid", macOS: nil))
        case .reader: NeedFacts(title: "an NFC reader")
        case .virtualReader:
            NeedFacts(
                title: "the virtual NFC reader",
                packages: Packages(debian: "vsmartcard-vpcd", fedora: nil, arch: nil, macOS: nil),
                otherwise: "build vsmartcard: https://frankmorgner.github.io/vsmartcard/virtualsmartcard/README.html")
        case .systemBus:
            NeedFacts(
                title: "the system's message bus",
                packages: Packages(debian: "dbus", fedora: "dbus-broker", arch: "dbus", macOS: nil))
        case .bluetooth:
            NeedFacts(
                title: "a Bluetooth adapter",
                packages: Packages(debian: "bluez", fedora: "bluez", arch: "bluez bluez-utils", macOS: nil))
        case .python:
            NeedFacts(
                title: "Python", programs: ["python3"], oldestVersion: [3, 11],
                packages: Packages(debian: "python3", fedora: "python3", arch: "python", macOS: "python"))
        case .node:
            NeedFacts(
                title: "Node", programs: ["node", "nodejs"], oldestVersion: [18],
                packages: Packages(debian: "nodejs", fedora: "nodejs", arch: "nodejs", macOS: "node"))
        case .servePort, .webDriverPort, .devToolsPort, .controlPort, .devicePort:
            NeedFacts(title: port.map { "\($0.carrier.rawValue) port \($0.number)" } ?? rawValue)
        }
    }

    /// A display without a screen.
    private static let xvfb = Packages(
        debian: "xvfb", fedora: "xorg-x11-server-Xvfb", arch: "xorg-server-xvfb", macOS: nil)
}
