public import CTAP

/// A fault as lists of them have it in JSON.
public struct FaultEntry: Hashable, Sendable, Codable {
    public let name: String
    /// Where it is applied.
    public let layer: String
    public let meaning: String
    /// Who should notice: steps of the relying party's ledger, or clients.
    public let noticedBy: [String]

    public init(_ fault: FaultDescription) {
        name = fault.name
        layer = fault.seam.rawValue
        meaning = fault.meaning
        noticedBy = fault.noticedBy
    }
}
