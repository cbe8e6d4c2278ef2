enum StepPlace: Sendable {
    case device
    /// Anywhere; a device may be named to check its state.
    case anywhere
    case site

    /// The keys a step may have besides those of its verb.
    var keys: Set<String> {
        switch self {
        case .device: ["device", "person", "pin", "meanwhile", "expect", "requirements", "session"]
        case .anywhere: ["device", "expect", "requirements"]
        case .site: ["expect", "requirements", "session"]
        }
    }
}
