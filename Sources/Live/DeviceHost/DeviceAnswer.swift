/// A device's answer to a ``DeviceRequest``: its status afterwards, and the result of the act.
///
/// Its JSON is that of the status with two more members, `answer` and `refusal`.
package struct DeviceAnswer: Hashable, Sendable, Codable {
    package var status: DeviceStatus
    /// The answer of the act, such as the secret that was read.
    package var answer: String?
    /// The cause of the act's refusal; nil on success, and without an act.
    package var refusal: String?

    private enum CodingKeys: String, CodingKey {
        case answer, refusal
    }

    init(_ status: DeviceStatus, answer: String? = nil) { (self.status, self.answer) = (status, answer) }

    package init(from decoder: any Decoder) throws {
        status = try DeviceStatus(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        answer = try members.decodeIfPresent(String.self, forKey: .answer)
        refusal = try members.decodeIfPresent(String.self, forKey: .refusal)
    }

    package func encode(to encoder: any Encoder) throws {
        try status.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(answer, forKey: .answer)
        try members.encodeIfPresent(refusal, forKey: .refusal)
    }
}
