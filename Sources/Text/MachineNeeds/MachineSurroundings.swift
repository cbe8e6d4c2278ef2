/// The facts of a computer that decide which remedies it needs.
package struct MachineSurroundings: Hashable, Sendable {
    /// The system in words, such as `Debian GNU/Linux 12 (bookworm), Linux 6.1.0, x86_64`.
    package var title: String
    package var distribution: Distribution
    /// Whether the program runs as root.
    package var isRoot: Bool
    /// Whether the system starts its services with systemd.
    package var hasSystemd: Bool

    package init(title: String, distribution: Distribution, isRoot: Bool, hasSystemd: Bool) {
        self.title = title
        self.distribution = distribution
        self.isRoot = isRoot
        self.hasSystemd = hasSystemd
    }

    /// A command that root has to run.
    func asRoot(_ command: String) -> String { isRoot ? command : "sudo " + command }
}
