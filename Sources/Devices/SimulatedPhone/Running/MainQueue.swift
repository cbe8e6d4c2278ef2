internal import Foundation

/// The queue on which the main actor runs.
///
/// On Linux the main thread ends early, and other threads serve the main queue: a label of the queue tells.
enum MainQueue {
    private static let label: DispatchSpecificKey<Bool> = {
        let label = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: label, value: true)
        return label
    }()

    /// Whether the running code keeps the main actor busy.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: label) == true }
}
