/// What keeps a sensor, or the device credential, from verifying anybody: a refusal before a prompt, a failure during one.
struct GateObstacle {
    let refusal: GateRefusal
    let failure: GateFailure
    /// Of several sensors' obstacles the one that is soonest out of the way is told.
    let hopelessness: Int

    init(_ refusal: GateRefusal, _ failure: GateFailure, _ hopelessness: Int) {
        self.refusal = refusal
        self.failure = failure
        self.hopelessness = hopelessness
    }

    init?(_ lockout: Lockout) {
        switch lockout {
        case .none: return nil
        case .timed(let until): self.init(.lockedOut(until: until), .lockedOut(until: until), 0)
        case .permanent, .exhausted: self.init(.lockedOutPermanently, .lockedOutPermanently, 1)
        }
    }

    init(_ reason: StrongAuthenticationReason) {
        self.init(.strongAuthenticationDue(reason), .strongAuthenticationDue(reason), 2)
    }

    init?(_ availability: SensorAvailability) {
        switch availability {
        case .present: return nil
        case .busy: self.init(.sensorBusy, .sensorBusy, 3)
        case .failed: self.init(.sensorFailed, .sensorFailed, 4)
        case .disconnected: self.init(.sensorDisconnected, .sensorDisconnected, 4)
        case .privacyEnabled: self.init(.sensorPrivacy, .sensorPrivacy, 4)
        case .permissionDenied: self.init(.permissionDenied, .permissionDenied, 4)
        case .securityUpdateRequired: self.init(.securityUpdateRequired, .securityUpdateRequired, 4)
        case .unrecognized: self.init(.unknownError, .unknownError, 4)
        case .disabledByPolicy: self.init(.disabledByPolicy, .disabledByPolicy, 4)
        case .notPaired: self.init(.sensorNotPaired, .sensorNotPaired, 6)
        case .absent: self.init(.sensorAbsent, .sensorAbsent, 7)
        }
    }

    static let notEnrolled = GateObstacle(.notEnrolled, .notEnrolled, 5)
    static let noCredential = GateObstacle(.noDeviceCredential, .noDeviceCredential, 5)
    static let absent = GateObstacle(.sensorAbsent, .sensorAbsent, 7)
    static let tooWeak = GateObstacle(.strengthInsufficient, .strengthInsufficient, 6)
}
