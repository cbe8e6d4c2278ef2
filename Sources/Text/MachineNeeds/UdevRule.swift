/// The udev rule that gives the logged-in user access to keys and to `/dev/uhid`.
package enum UdevRule {
    /// The file in the package, and in the program.
    package static let file = "hardware/70-touchstone.rules"
    package static let name = "70-touchstone.rules"
    /// The folders of rules (udev(7)).
    package static let folders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]
    /// The option of `touchstone doctor` that prints the rule.
    package static let option = "--udev-rule"

    /// The command that installs it, for a user or for root.
    package static func installation(isRoot: Bool = false) -> String {
        let root = isRoot ? "" : "sudo "
        return
            "touchstone doctor \(option) | \(root)tee \(folders[0])/\(name) > /dev/null && \(root)udevadm control --reload"
            + " && \(root)udevadm trigger --subsystem-match=hidraw --subsystem-match=misc"
    }
}
