package import Documents

extension DeviceVerb {
    /// The parameters as members of a JSON object.
    package var members: [Schema.Member] {
        parameters.map { parameter in
            Schema.Member(
                name: parameter.name, schema: .described(parameter.meaning, parameter.kind.schema),
                isRequired: parameter.isRequired)
        }
    }
}

extension DeviceVerb.Parameter.Kind {
    fileprivate var schema: Schema {
        switch self {
        case .text: .string(DeviceVerb.Parameter.textLength)
        case .document: .map(.any)
        case .number(let range): .integer(range)
        case .choice(let choices): .choice(choices)
        }
    }
}
