internal import DeviceProfiles
internal import PlatformErrors
internal import SimulatedDevice
internal import WebAuthnClient

extension String {
    /// Whether a text is a part of the error, made of whole words and numbers: `LAError -1` is not in
    /// `LAError -10 invalidContext`, nor `ERROR_LOCKOUT` in `ERROR_LOCKOUT_PERMANENT`.
    func hasPart(_ part: String) -> Bool {
        guard let first = part.first, let last = part.last else { return false }
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            let before = self[..<range.lowerBound].last
            let after = self[range.upperBound...].first
            let continuesBefore =
                first.isInWord && before.map { $0.isInWord || first.isNumber && $0 == "-" } ?? false
            let continuesAfter = last.isInWord && after?.isInWord ?? false
            if !continuesBefore, !continuesAfter { return true }
            rest = self[index(after: range.lowerBound)...]
        }
        return false
    }
}

extension Character {
    /// Whether it is a part of a word, as in names of errors.
    fileprivate var isInWord: Bool { isLetter || isNumber || self == "_" }
}

extension Expectation.Subject {
    /// The reason why nothing that can happen on the device breaks an expectation; nil where something can.
    func reasonWhyAlwaysMet(_ check: Expectation.Check, on device: SimulatedDevice?) -> String? {
        guard case .partOfError = values, check.isExcluded, let device, !device.reports(check.value) else { return nil }
        return "no error of the device's platform has this part"
    }
}

extension SimulatedDevice {
    /// Whether a page or an app on the device can get an error with this part.
    fileprivate func reports(_ part: String) -> Bool {
        DOMExceptionName.allCases.contains { "DOMException \($0.rawValue)".hasPart(part) }
            || profile.platformErrors.texts.contains { $0.hasPart(part) }
    }
}
