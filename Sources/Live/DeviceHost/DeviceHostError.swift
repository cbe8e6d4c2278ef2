/// The reason why a device could not be started or reached, or did not perform a request.
package enum DeviceHostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A socket of the device or of its connections could not be opened.
    case cannotListen(String)
    /// The address or port for UDP is not available.
    case portUnavailable(String)
    case invalidName(String)
    case nameTaken(String)
    case notRunning(String)
    /// Several devices run and the request names none; with their names.
    case ambiguous([String])
    case impossible(String)
    /// The device refused the act; with the reason.
    case refused(String)
    /// The act is possible, and would change nothing; with the reason.
    case idle(String)
    case unreadableState(String)
    /// The state could not be written when the device was switched off.
    case unwritableState(String)

    package var description: String {
        switch self {
        case .cannotListen(let detail), .portUnavailable(let detail), .notRunning(let detail), .impossible(let detail):
            detail
        case .unreadableState(let detail), .unwritableState(let detail): detail
        case .invalidName(let name):
            "“\(name)” is not a valid device name; use 1 to 48 \(DeviceName.words), such as "
                + "“\(DeviceName.suggested(for: name))”"
        case .nameTaken(let name): "a device named \(name) is running already; choose another name"
        case .ambiguous(let names):
            "several devices are running (\(names.joined(separator: ", "))); choose one with --name"
        case .refused(let reason): "refused: \(reason)"
        case .idle(let reason): "without effect: \(reason)"
        }
    }
}
