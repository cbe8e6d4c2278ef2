internal import Mutations

/// Behaviours of a simulated device that a mutation run switches off.
package enum DeviceMutation: String, Mutation {
    package static let room = "device"

    /// A key that is bound to the enrolled templates becomes invalid when they change.
    case boundKeys
    /// A key becomes invalid when the screen lock that guards it is removed.
    case lockScreenKeys
    /// A key stays open for its validity only.
    case validity
    /// Items are out of reach while the screen is locked.
    case lockedItems
}
