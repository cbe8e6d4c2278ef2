/// Something that can be made to go wrong on purpose: its name, where it is done, and who should notice.
///
/// Faults are data: declared in a profile, a scenario or on the command line, and applied at one place for each layer.
public struct FaultDescription: Hashable, Sendable {
    /// The layer a fault is applied at.
    public enum Seam: String, Hashable, Sendable, CaseIterable, Codable {
        /// What the authenticator signs and says.
        case authenticator
        /// The CTAP2 message, after the authenticator made it.
        case ctap
        /// The frames that carry it.
        case transport
    }

    /// The stable name, such as `counter-backwards`.
    public let name: String
    /// Where it is applied.
    public let seam: Seam
    /// What goes wrong, in a few words.
    public let meaning: String
    /// Who should notice: steps of the relying party's ledger such as `r9` and `a5`, or `client`.
    public let noticedBy: [String]

    public init(_ name: String, seam: Seam, _ meaning: String, noticedBy: [String]) {
        self.name = name
        self.seam = seam
        self.meaning = meaning
        self.noticedBy = noticedBy
    }
}
