internal import WebAuthn

/// The manufacturers of TPMs (TCG Vendor ID Registry, version 1.07).
enum TPMManufacturer {
    /// The identifiers: two to four characters of ASCII, filled up with zero bytes.
    private static let identifiers: Set<String> = [
        "AMD", "ANT", "ATML", "BRCM", "CSCO", "FLYS", "GOOG", "HISI", "HPE", "HPI", "IBM", "IFX", "INTC", "LEN", "MSFT",
        "NSG", "NSM ", "NTC", "NTZ", "QCOM", "ROCC", "SEAL", "SECE", "SMSC", "SMSN", "SNS", "STM ", "TXN", "WEC",
    ]

    /// Whether `id:` and eight hexadecimal digits name a registered manufacturer (TCG EK Credential Profile §3.2.9).
    static func isRegistered(_ text: String) -> Bool {
        guard text.hasPrefix("id:"), let bytes = Hex.decode(String(text.dropFirst(3))), bytes.count == 4 else {
            return false
        }
        return identifiers.contains(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }
}
