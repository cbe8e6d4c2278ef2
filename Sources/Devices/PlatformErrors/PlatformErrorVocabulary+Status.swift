package import CTAP

extension PlatformErrorVocabulary {
    /// The error of a CTAP status, also for a status outside the table.
    package func error(of status: CTAPStatus) -> PlatformError? {
        PlatformErrorTable.shared.interface("ctap").map { interface in
            let code = PlatformErrorCode(
                name: status.name ?? "unassigned", number: Int(status.rawValue), isUnverified: false)
            return PlatformError(interface, code, operation: nil, isUnverified: false)
        }
    }
}
