/// Single changes of behaviour that a mutation run makes one at a time, to prove that a scenario or a test notices.
///
/// A room declares its own as an enum. A change that exists once for each member of a list is an enum case with a value: its
/// ``name`` ends with the member, such as `admits:pin-invalid`, and `allCases` lists every one. `TOUCHSTONE_MUTATION=ROOM.NAME`
/// makes one in a debug build; a release build has no switch.
package protocol Mutation: CaseIterable, Sendable {
    /// The part of ``identifier`` before the dot.
    static var room: String { get }

    /// The part of ``identifier`` after the dot, the same from run to run.
    var name: String { get }
}

extension Mutation where Self: RawRepresentable<String> {
    package var name: String { rawValue }
}

extension Mutation {
    /// The name of the mutation in `TOUCHSTONE_MUTATION`, such as `gate.failureCount`.
    package var identifier: String { "\(Self.room).\(name)" }

    /// The identifiers of the whole room.
    package static var identifiers: [String] { allCases.map(\.identifier) }

    #if DEBUG
        /// Whether this change is made.
        package var isActive: Bool { ActiveMutation.identifier.map { $0 == identifier } ?? false }

        /// The change of this room that is made; nil for none.
        package static var active: Self? {
            guard let made = ActiveMutation.identifier, made.hasPrefix("\(room).") else { return nil }
            return allCases.first { $0.identifier == made }
        }
    #else
        @inlinable package var isActive: Bool { false }
        @inlinable package static var active: Self? { nil }
    #endif
}
