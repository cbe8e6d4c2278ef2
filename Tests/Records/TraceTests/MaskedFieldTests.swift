import Testing

@testable import Trace

/// Fields with parts, whatever decoder made them.
struct MaskedFieldTests {
    private static let parts = [
        TraceField(name: "first", type: .bytes, value: "a0a1a2", length: 3),
        TraceField(name: "second", type: .map, items: [TraceField(name: "third", type: .text, value: "hunter2")]),
    ]

    @Test("A field that is secret as a whole shows none of its parts", arguments: TraceField.Secrecy.allCases)
    func whole(secrecy: TraceField.Secrecy) {
        let field = TraceField(
            name: "whole", type: .map, value: "{}", meaning: "words", secret: secrecy, length: 9, items: Self.parts)
        let masked = field.masked
        #expect(masked.items.isEmpty)
        #expect(masked.value == nil && masked.meaning == nil)
        #expect(masked.length == 9 && masked.secret == secrecy && masked.name == "whole")
        // Nor does one within a public field.
        let outer = TraceField(name: "outer", type: .array, items: [field])
        #expect(outer.masked.first("first") == nil)
        #expect(outer.masked.first("third") == nil)
        #expect(outer.masked.first("whole") == masked)
    }

    @Test("A public field keeps its parts but the secret ones")
    func part() {
        var items = Self.parts
        items[0].secret = .declared
        let masked = TraceField(name: "outer", type: .map, items: items).masked
        #expect(masked.first("third")?.value == "hunter2")
        #expect(masked.first("first")?.value == nil)
        #expect(TraceField(name: "outer", type: .map, items: Self.parts).masked.items == Self.parts)
    }
}
