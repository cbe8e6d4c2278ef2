/// An object with one member, named like the case, which holds the case's values by label; a sample at the leading sensor
/// is written as the ``Sample`` alone.
extension GateAct: Codable {
    private enum Value: String, CodingKey {
        case first = "_0"
        case on, correct
    }

    /// The acts without values; their names are their labels.
    private static let plain: [GateAct] = [
        .confirm, .declineConfirmation, .cancelByUser, .cancelBySystem, .leaveScreen, .cancelByApp, .fallback,
        .challengePhrase, .powerButton, .tryAgain, .giveUp, .noAnswer,
    ]

    /// Reads an act.
    ///
    /// - Throws: a decoding error for an unknown name or a missing value.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        let name = members.allKeys.first ?? MemberName(stringValue: "")
        func values() throws -> KeyedDecodingContainer<Value> {
            try members.nestedContainer(keyedBy: Value.self, forKey: name)
        }
        switch name.stringValue {
        case "sample":
            self = .sample(
                try values().decode(Sample.self, forKey: .first),
                on: try values().decode(BiometricModality.self, forKey: .on))
        case "passcode": self = .passcode(correct: try values().decode(Bool.self, forKey: .correct))
        case "sensorError": self = .sensorError(try values().decode(SensorError.self, forKey: .first))
        case let label: self = try Self.plain.first { $0.label == label } ?? .sample(Sample(from: decoder))
        }
    }

    /// Writes the act.
    public func encode(to encoder: any Encoder) throws {
        if case .sample(let sample, nil) = self { return try sample.encode(to: encoder) }
        var members = encoder.container(keyedBy: MemberName.self)
        func values(_ name: String) -> KeyedEncodingContainer<Value> {
            members.nestedContainer(keyedBy: Value.self, forKey: MemberName(stringValue: name))
        }
        switch self {
        case .sample(let sample, let modality):
            var values = values("sample")
            try values.encode(sample, forKey: .first)
            try values.encode(modality, forKey: .on)
        case .passcode(let correct):
            var values = values("passcode")
            try values.encode(correct, forKey: .correct)
        case .sensorError(let error):
            var values = values("sensorError")
            try values.encode(error, forKey: .first)
        case .confirm, .declineConfirmation, .cancelByUser, .cancelBySystem, .leaveScreen, .cancelByApp, .fallback,
            .challengePhrase, .powerButton, .tryAgain, .giveUp, .noAnswer:
            _ = values(label)
        }
    }
}
