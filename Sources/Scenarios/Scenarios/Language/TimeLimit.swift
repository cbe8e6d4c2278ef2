internal import Documents

/// A limit of an expected time: the longest, such as `2 s`, or a time that is exceeded, such as `over 2 s`.
struct TimeLimit: Hashable, Sendable {
    private let span: Duration
    private let isExceeded: Bool

    private static let exceeded = "over "

    init?(_ text: String) {
        isExceeded = text.hasPrefix(Self.exceeded)
        let rest = isExceeded ? String(text.dropFirst(Self.exceeded.count)) : text
        guard let span = try? Duration(span: rest) else { return nil }
        self.span = span
    }

    func admits(_ time: Duration) -> Bool { isExceeded ? time > span : time <= span }
}
