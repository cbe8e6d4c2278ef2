package import CTAP

/// A fault as lists of them have it in JSON.
package struct FaultEntry: Hashable, Sendable, Codable {
    package let name: String
    /// Where it is applied.
    package let layer: String
    package let meaning: String
    /// Who should notice: steps of the relying party's ledger, or clients.
    package let noticedBy: [String]

    package init(_ fault: FaultDescription) {
        name = fault.name
        layer = fault.seam.rawValue
        meaning = fault.meaning
        noticedBy = fault.noticedBy
    }
}
