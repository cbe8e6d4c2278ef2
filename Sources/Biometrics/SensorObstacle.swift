/// What keeps a sensor from verifying anybody: a refusal before a prompt, a failure during one.
enum SensorObstacle {
    case absent
    case busy
    case failed
    case disabledByPolicy
    case notEnrolled
    case lockedOut(until: Duration)
    case lockedOutPermanently

    /// Finds the first thing in the way, the hardware before the people before their mistakes.
    init?(sensor: BiometricSensor?, lockout: Lockout) {
        switch sensor?.availability {
        case nil, .absent: self = .absent
        case .busy: self = .busy
        case .failed: self = .failed
        case .disabledByPolicy: self = .disabledByPolicy
        case .present where sensor?.templates.isEmpty != false: self = .notEnrolled
        case .present: self.init(lockout)
        }
    }

    init?(_ lockout: Lockout) {
        switch lockout {
        case .none: return nil
        case .timed(let until): self = .lockedOut(until: until)
        case .permanent, .exhausted: self = .lockedOutPermanently
        }
    }

    var refusal: GateRefusal {
        switch self {
        case .absent: .sensorAbsent
        case .busy: .sensorBusy
        case .failed: .sensorFailed
        case .disabledByPolicy: .disabledByPolicy
        case .notEnrolled: .notEnrolled
        case .lockedOut(let until): .lockedOut(until: until)
        case .lockedOutPermanently: .lockedOutPermanently
        }
    }

    var failure: GateFailure {
        switch self {
        case .absent: .sensorAbsent
        case .busy: .sensorBusy
        case .failed: .sensorFailed
        case .disabledByPolicy: .disabledByPolicy
        case .notEnrolled: .notEnrolled
        case .lockedOut(let until): .lockedOut(until: until)
        case .lockedOutPermanently: .lockedOutPermanently
        }
    }
}
