/// A value that is stored as one object, whose members one table reads and writes.
///
/// A missing member keeps the value of ``blank``, so that states of older versions stay readable.
protocol MemberwiseCodable: Codable {
    static var blank: Self { get }
    static var members: [StoredMember<Self>] { get }

    func validate() throws(GatePolicyError)
}

extension MemberwiseCodable {
    func validate() throws(GatePolicyError) {}

    /// Decodes the value, and checks it as the initializer does.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: MemberName.self)
        self = Self.blank
        for member in Self.members { try member.read(object, &self) }
        do {
            try validate()
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: MemberName.self)
        for member in Self.members { try member.write(self, &object) }
    }
}

/// The name of a member in the stored object.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// One member of a stored object: its name and its property.
struct StoredMember<Model>: Sendable {
    let read: @Sendable (KeyedDecodingContainer<MemberName>, inout Model) throws -> Void
    let write: @Sendable (Model, inout KeyedEncodingContainer<MemberName>) throws -> Void

    private init<Stored: Codable & Sendable>(
        _ name: String, isRequired: Bool = false, get: @escaping @Sendable (Model) -> Stored?,
        set: @escaping @Sendable (inout Model, Stored) -> Void
    ) {
        let name = MemberName(stringValue: name)
        read = { object, model in
            let stored =
                try isRequired
                ? object.decode(Stored.self, forKey: name) : object.decodeIfPresent(Stored.self, forKey: name)
            if let stored { set(&model, stored) }
        }
        write = { model, object in try object.encodeIfPresent(get(model), forKey: name) }
    }

    init<Value: Codable & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Model, Value> & Sendable, isRequired: Bool = false
    ) {
        self.init(name, isRequired: isRequired, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }

    init<Value: Codable & Sendable>(_ name: String, _ path: any WritableKeyPath<Model, Value?> & Sendable) {
        self.init(name, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }

    init(milliseconds name: String, _ path: any WritableKeyPath<Model, Duration> & Sendable) {
        self.init(name, get: { $0[keyPath: path].wholeMilliseconds }, set: { $0[keyPath: path] = .milliseconds($1) })
    }

    init(milliseconds name: String, _ path: any WritableKeyPath<Model, Duration?> & Sendable) {
        self.init(name, get: { $0[keyPath: path]?.wholeMilliseconds }, set: { $0[keyPath: path] = .milliseconds($1) })
    }

    /// A member of a part, stored in the object of the whole.
    init<Part>(_ member: StoredMember<Part>, of path: any WritableKeyPath<Model, Part> & Sendable) {
        read = { object, model in try member.read(object, &model[keyPath: path]) }
        write = { model, object in try member.write(model[keyPath: path], &object) }
    }
}
