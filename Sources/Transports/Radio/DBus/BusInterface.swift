/// The members of an interface of an object on the bus.
struct BusInterface: Hashable, Sendable {
    /// A method or a signal.
    struct Member: Hashable, Sendable {
        let name: String
        /// The signatures of the parameters.
        let parameters: [String]
        /// The signatures of the answer's values.
        var answers: [String] = []
    }

    struct Property: Hashable, Sendable {
        let name: String
        let signature: String
        var isWritable = false
    }

    let name: String
    var methods: [Member] = []
    var signals: [Member] = []
    var properties: [Property] = []

    func method(_ name: String) -> Member? { methods.first { $0.name == name } }

    func property(_ name: String) -> Property? { properties.first { $0.name == name } }
}

extension BusInterface {
    static let introspectable = BusInterface(
        name: "org.freedesktop.DBus.Introspectable",
        methods: [Member(name: "Introspect", parameters: [], answers: ["s"])])

    static let peer = BusInterface(
        name: "org.freedesktop.DBus.Peer", methods: [Member(name: "Ping", parameters: [])])

    static let properties = BusInterface(
        name: "org.freedesktop.DBus.Properties",
        methods: [
            Member(name: "Get", parameters: ["s", "s"], answers: ["v"]),
            Member(name: "Set", parameters: ["s", "s", "v"]),
            Member(name: "GetAll", parameters: ["s"], answers: [BusValue.propertiesSignature]),
        ], signals: [Member(name: "PropertiesChanged", parameters: ["s", BusValue.propertiesSignature, "as"])])

    static let objectManager = BusInterface(
        name: "org.freedesktop.DBus.ObjectManager",
        methods: [Member(name: "GetManagedObjects", parameters: [], answers: ["a{oa{sa{sv}}}"])],
        signals: [
            Member(name: "InterfacesAdded", parameters: ["o", "a{sa{sv}}"]),
            Member(name: "InterfacesRemoved", parameters: ["o", "as"]),
        ])

    /// The description of an object in XML (D-Bus Specification, "Introspection Data Format").
    static func introspection(of interfaces: [BusInterface], children: [String]) -> String {
        var lines = [
            "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
            " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">", "<node>",
        ]
        for interface in interfaces {
            lines.append("  <interface name=\"\(interface.name)\">")
            for method in interface.methods { lines += xml(method, as: "method") }
            for signal in interface.signals { lines += xml(signal, as: "signal") }
            for property in interface.properties {
                let access = property.isWritable ? "readwrite" : "read"
                lines.append(
                    "    <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\"/>")
            }
            lines.append("  </interface>")
        }
        lines += children.map { "  <node name=\"\($0)\"/>" }
        return (lines + ["</node>", ""]).joined(separator: "\n")
    }

    private static func xml(_ member: Member, as element: String) -> [String] {
        let isSignal = element == "signal"
        let parameters = member.parameters.map { "      <arg type=\"\($0)\"\(isSignal ? "" : " direction=\"in\"")/>" }
        let answers = member.answers.map { "      <arg type=\"\($0)\" direction=\"out\"/>" }
        return ["    <\(element) name=\"\(member.name)\">"] + parameters + answers + ["    </\(element)>"]
    }
}
