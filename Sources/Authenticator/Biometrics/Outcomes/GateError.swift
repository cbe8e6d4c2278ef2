public import Causes

/// A change to the enrolled set that is not possible; nothing changed.
public enum GateError: CausedError, Hashable, Codable, Sendable, CustomStringConvertible {
    /// There is no sensor to enrol in.
    case sensorAbsent
    /// The sensor cannot take a sample at this moment.
    case sensorUnavailable(SensorAvailability)
    /// All places are taken: CTAP's FP_DATABASE_FULL.
    case storeFull(maxTemplates: Int)
    /// Another template has this id.
    case duplicateTemplate(id: [UInt8])
    /// No template has this id.
    case noSuchTemplate(id: [UInt8])
    /// A template with this name is already enrolled.
    case nameTaken(String)
    /// No template has this name.
    case notEnrolled(name: String)

    /// The cause.
    public var cause: Cause {
        switch self {
        case .sensorAbsent: .sensorAbsent
        case .sensorUnavailable: .sensorUnavailable
        case .storeFull: .storeFull
        case .duplicateTemplate, .nameTaken: .templateExists
        case .noSuchTemplate, .notEnrolled: .templateUnknown
        }
    }

    /// The description.
    public var explanation: String? { description }

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .sensorAbsent: "there is no sensor"
        case .sensorUnavailable(let availability): "the sensor cannot be used: \(availability.rawValue)"
        case .storeFull(let maxTemplates): "all \(maxTemplates) places for templates are taken"
        case .duplicateTemplate(let id): "a template with the id \(id) is already enrolled"
        case .noSuchTemplate(let id): "no template with the id \(id) is enrolled"
        case .nameTaken(let name): "\(name) is enrolled already"
        case .notEnrolled(let name): "nobody is enrolled as \(name)"
        }
    }
}
