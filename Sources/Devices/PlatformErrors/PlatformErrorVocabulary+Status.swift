package import CTAP

extension PlatformErrorVocabulary {
    /// A status as CTAP shows it, whether the table knows it or not.
    package func error(of status: CTAPStatus) -> PlatformError? {
        PlatformErrorTable.shared.interface("ctap").map { interface in
            let code = PlatformErrorCode(
                name: status.name ?? "unassigned", number: Int(status.rawValue), isUnverified: false)
            return PlatformError(interface, code, operation: nil, isUnverified: false)
        }
    }
}
