/// An error that answers a call.
package struct BusRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name.
    package let name: String
    /// The sentence for people.
    package let reason: String

    package init(_ name: String, _ reason: String) {
        self.name = name
        self.reason = reason
    }

    package var description: String { "\(reason) (\(name))" }

    private static let prefix = "org.freedesktop.DBus.Error."

    /// The name of the bus's error for a destination that does not exist.
    package static let serviceUnknown = prefix + "ServiceUnknown"
    /// The name of the bus's error for a destination that cannot be started.
    package static let nameHasNoOwner = prefix + "NameHasNoOwner"

    package static func unknownObject(_ path: String) -> BusRefusal {
        BusRefusal(prefix + "UnknownObject", "\(path) is not an object of this service")
    }

    package static func unknownInterface(_ interface: String) -> BusRefusal {
        BusRefusal(prefix + "UnknownInterface", "the object does not have the interface \(interface)")
    }

    package static func unknownMethod(_ member: String) -> BusRefusal {
        BusRefusal(prefix + "UnknownMethod", "the object does not have the method \(member)")
    }

    package static func unknownProperty(_ property: String) -> BusRefusal {
        BusRefusal(prefix + "UnknownProperty", "the interface does not have the property \(property)")
    }

    package static func readOnlyProperty(_ property: String) -> BusRefusal {
        BusRefusal(prefix + "PropertyReadOnly", "the property \(property) cannot be set")
    }

    /// The parameters of a call have another signature than its method.
    package static func invalidArguments(_ reason: String) -> BusRefusal {
        BusRefusal(prefix + "InvalidArgs", reason)
    }
}
