package import CTAP

extension FaceVocabulary {
    /// A status as CTAP shows it, whether the table knows it or not.
    package func face(of status: CTAPStatus) -> Face? {
        FaceTable.shared.layer("ctap").map { layer in
            let code = FaceCode(
                name: status.name ?? "unassigned", number: Int(status.rawValue), isUnverified: false)
            return Face(layer, code, operation: nil, isUnverified: false)
        }
    }
}
