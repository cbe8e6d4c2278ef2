internal import DeviceProfiles
internal import PlatformErrors
internal import SimulatedDevice
internal import WebAuthnClient

extension String {
    /// Whether a text is a part of the error, and each number in it a whole one: `LAError -1` is not in
    /// `LAError -10 invalidContext`.
    func hasPart(_ part: String) -> Bool {
        guard let first = part.first, let last = part.last else { return false }
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            let before = self[..<range.lowerBound].last
            let after = self[range.upperBound...].first
            let continuesBefore = first.isNumber && before.map { $0.isNumber || $0.isLetter || $0 == "-" } ?? false
            let continuesAfter = last.isNumber && after.map { $0.isNumber || $0.isLetter } ?? false
            if !continuesBefore, !continuesAfter { return true }
            rest = self[index(after: range.lowerBound)...]
        }
        return false
    }
}

extension SimulatedDevice {
    /// Whether a page or an app on the device can get an error with this part.
    func reports(_ part: String) -> Bool {
        DOMExceptionName.allCases.contains { "DOMException \($0.rawValue)".hasPart(part) }
            || profile.platformErrors.texts.contains { $0.hasPart(part) }
    }
}
