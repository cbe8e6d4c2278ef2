/// The kind of an operating system, by its way to install packages.
package enum Distribution: String, CaseIterable, Hashable, Sendable {
    case debian
    case ubuntu
    case fedora
    case arch
    case macOS
    case other

    /// Reads `/etc/os-release` (os-release(5)): `ID`, then the names in `ID_LIKE`.
    package init(osRelease text: String) {
        let values = Self.values(in: text)
        let names = [values["ID"] ?? ""] + (values["ID_LIKE"] ?? "").split(separator: " ").map(String.init)
        self = names.lazy.compactMap(Self.named).first ?? .other
    }

    /// The value of `PRETTY_NAME` in `/etc/os-release`; nil without one.
    package static func title(osRelease text: String) -> String? { values(in: text)["PRETTY_NAME"] }

    private static func named(_ name: String) -> Distribution? {
        switch name.lowercased() {
        case "debian", "raspbian": .debian
        case "ubuntu": .ubuntu
        case "fedora", "rhel", "centos": .fedora
        case "arch": .arch
        default: nil
        }
    }

    private static func values(in text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let pair = line.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            values[String(pair[0])] = pair[1].trimmingPrefix { $0 == " " }.filter { $0 != "\"" && $0 != "'" }
        }
        return values
    }

    /// The beginning of the command that installs packages; nil where it is not known.
    var installer: String? {
        switch self {
        case .debian, .ubuntu: "apt install"
        case .fedora: "dnf install"
        case .arch: "pacman -S --needed"
        case .macOS: "brew install"
        case .other: nil
        }
    }
}

/// The packages that contain a part, by distribution.
package struct Packages: Hashable, Sendable {
    private let names: [Distribution: String]

    /// - Parameters:
    ///   - debian: the packages of Debian, which Ubuntu has by the same names unless `ubuntu` says another.
    ///   - others: nil for a part that the distribution does not have.
    init(debian: String, ubuntu: String? = nil, fedora: String?, arch: String?, macOS: String?) {
        names = [.debian: debian, .ubuntu: ubuntu ?? debian, .fedora: fedora, .arch: arch, .macOS: macOS]
            .compactMapValues(\.self)
    }

    /// The packages of Debian.
    package var onDebian: String { names[.debian] ?? "" }

    /// The command that installs them; nil where the distribution has none or is not known.
    func command(in surroundings: MachineSurroundings) -> String? {
        guard let names = names[surroundings.distribution], let installer = surroundings.distribution.installer else {
            return nil
        }
        // Homebrew refuses root.
        return surroundings.distribution == .macOS
            ? "\(installer) \(names)" : surroundings.asRoot("\(installer) \(names)")
    }
}
