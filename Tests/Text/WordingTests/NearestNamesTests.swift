import Testing
import Wording

/// Suggestions for a name that does not exist.
struct NearestNamesTests {
    private static let names = [
        "iphone-face-id", "iphone-face-id-older", "pixel-fingerprint", "lockedOut.timed", "lock",
    ]

    @Test(
        "A misspelt name, a part of a name and a common beginning lead to existing names",
        arguments: [
            ("iphone-faceid", ["iphone-face-id"]), ("iphone", ["iphone-face-id", "iphone-face-id-older"]),
            ("pixel-fingerprnit", ["pixel-fingerprint"]), ("lockedout", ["lockedOut.timed"]), ("Lock", ["lock"]),
            ("iphone-15-pro", ["iphone-face-id", "iphone-face-id-older"]), ("pixel-9", ["pixel-fingerprint"]),
            ("lokc", ["lock"]), ("kolc", []), ("nokia", []), ("", []),
            // The cost of a comparison grows with the name.
            (String(repeating: "lock", count: 1_000_000), []),
        ])
    func nearest(name: String, expected: [String]) {
        let nearest = NearestNames.to(name, among: Self.names)
        #expect(expected.isEmpty ? nearest.isEmpty : nearest.starts(with: expected), "\(nearest)")
    }

    @Test func aNameThatTwoListsHaveIsNamedOnce() {
        let question = NearestNames.question("left thum", among: ["left thumb", "right thumb", "left thumb"])
        #expect(question == "; did you mean left thumb?")
    }

    @Test func aQuestionNamesAtMostFive() {
        let names = (1...9).map { "device-\($0)" }
        let question = NearestNames.question("device", among: names)
        #expect(question == "; did you mean device-1, device-2, device-3, device-4, device-5?")
        #expect(NearestNames.question("telepathy", among: names).isEmpty)
        #expect(NearestNames.question("telepathy", among: names, orElse: "list them") == "; list them")
    }
}
