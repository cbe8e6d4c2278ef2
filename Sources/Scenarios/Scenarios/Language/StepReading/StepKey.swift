internal import Documents

/// A key of a step, declared once: its name, how it is read, and its form for the schema.
struct StepKey<Value: Sendable>: Sendable {
    let member: Schema.Member
    let read: @Sendable (StepFields) throws(SourceError) -> Value

    static func required(_ name: String, _ form: Form<Value>, _ meaning: String) -> Self {
        Self(member: .required(name, form.schema, meaning)) { fields throws(SourceError) in
            try form.value(of: try fields.required(name))
        }
    }

    static func optional<Wrapped>(_ name: String, _ form: Form<Wrapped>, _ meaning: String) -> Self
    where Value == Wrapped? {
        Self(member: .optional(name, form.schema, meaning)) { fields throws(SourceError) in
            guard let value = fields[name] else { return nil }
            return try form.value(of: value)
        }
    }
}

extension StepKey<String> {
    static func otherDevice(_ name: String, _ meaning: String) -> Self {
        Self(member: .required(name, Form.text.schema, meaning)) { fields throws(SourceError) in
            try fields.otherDevice(name)
        }
    }
}

extension Form {
    /// Reads a value whose every mistake has a place in the file.
    func value(of value: YAMLValue) throws(SourceError) -> Value {
        do {
            return try read(value)
        } catch let error as SourceError {
            throw error
        } catch {
            throw value.error("\(error)")
        }
    }
}
