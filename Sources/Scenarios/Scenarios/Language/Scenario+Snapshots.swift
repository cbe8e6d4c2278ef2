internal import Documents

extension Scenario {
    /// Checks that a snapshot is taken before it is restored, that the device changes in between, and that the other device
    /// has the same profile.
    func checkSnapshots() throws(SourceError) {
        let profiles = Dictionary(devices.map { ($0.name, $0.profile) }, uniquingKeysWith: { first, _ in first })
        var snapshots: [String: (device: String, index: Int)] = [:]
        var unused: [String: SourcePlace] = [:]
        for (index, step) in steps.enumerated() {
            guard let device = step.device, case .device(let action) = step.action else { continue }
            if case .snapshot(let name) = action {
                snapshots[name] = (device, index)
                if let earlier = unused.updateValue(step.place, forKey: name) {
                    throw earlier.error("a later step takes \"\(name)\" again before one restores it; remove this one")
                }
            }
            guard case .restore(let name) = action else { continue }
            guard let original = snapshots[name] else {
                throw step.place.error("no earlier step takes a snapshot \"\(name)\"; take it with snapshot")
            }
            guard let profile = profiles[device], let source = profiles[original.device], source == profile else {
                throw step.place.error(
                    "the snapshot \"\(name)\" is of \(original.device), which has another profile than \(device); restore it to "
                        + "a device of the same profile")
            }
            guard original.device != device || changes(device, between: original.index, and: index) else {
                throw step.place.error(
                    "no step changes \(device) since the snapshot \"\(name)\"; remove this step, or add one before it")
            }
            unused[name] = nil
        }
        if let (name, place) = unused.min(by: { $0.key < $1.key }) {
            throw place.error("no later step restores the snapshot \"\(name)\"; remove it, or restore it")
        }
    }

    private func changes(_ device: String, between first: Int, and last: Int) -> Bool {
        // An account and an app also change their devices while time passes.
        if observedDevices.contains(device), last > first + 1 { return true }
        return steps[(first + 1)..<last].contains { $0.devices.contains(device) }
    }
}
