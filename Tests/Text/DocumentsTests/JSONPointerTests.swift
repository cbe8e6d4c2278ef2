import Documents
import Testing

/// JSON Pointers as RFC 6901 defines them.
struct JSONPointerTests {
    private static let document: JSONValue = [
        "a": ["b": 7, "": "empty", "c/d": "slash", "m~n": "tilde"], "list": [10, ["x": true]],
    ]

    @Test(
        "A pointer leads to the value of RFC 6901",
        arguments: [
            ("/a/b", JSONValue.integer(7)), ("/a/", "empty"), ("/a/c~1d", "slash"), ("/a/m~0n", "tilde"),
            ("/list/0", 10), ("/list/1/x", true), ("", document),
        ] as [(String, JSONValue)])
    func value(pointer: String, value: JSONValue) {
        #expect(Self.document.value(at: pointer) == value)
    }

    @Test(
        "A pointer to nothing has no value",
        arguments: ["/b", "a", "/list/2", "/list/00", "/list/-1", "/list/x", "/a/b/c", "/list/"])
    func nothing(pointer: String) {
        #expect(Self.document.value(at: pointer) == nil)
    }
}
