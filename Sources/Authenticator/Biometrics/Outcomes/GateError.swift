public import Causes

/// The reason a change to the enrolled set is not possible.
public enum GateError: CausedError, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The device has no sensor.
    case sensorAbsent
    /// The sensor is not available.
    case sensorUnavailable(SensorAvailability)
    /// A template needs a device credential, and none is set.
    case noDeviceCredential
    /// The sensor has no room for another template: CTAP's FP_DATABASE_FULL.
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
        case .noDeviceCredential: .noDeviceCredential
        case .storeFull: .noSpace
        case .duplicateTemplate, .nameTaken: .templateExists
        case .noSuchTemplate, .notEnrolled: .templateUnknown
        }
    }

    /// The description.
    public var explanation: String? { description }

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .sensorAbsent: "the device has no sensor"
        case .sensorUnavailable(let availability): "the sensor cannot be used: \(availability.rawValue)"
        case .noDeviceCredential: "a template needs a screen lock; set one first"
        case .storeFull(let maxTemplates):
            "the sensor already holds its maximum of \(maxTemplates) \(maxTemplates == 1 ? "template" : "templates"); "
                + "remove one first"
        case .duplicateTemplate(let id): "a template with the id \(id) is already enrolled"
        case .noSuchTemplate(let id): "no template with the id \(id) is enrolled"
        case .nameTaken(let name): "a template named \(name) is already enrolled"
        case .notEnrolled(let name): "no template named \(name) is enrolled"
        }
    }
}
