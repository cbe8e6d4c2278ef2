internal import DeviceProfiles

extension SimulatedDevice {
    /// Checks that the device can scan a QR code now: a phone that is unlocked and online.
    package func requireScanning() throws(DeviceRefusal) {
        guard profile.scansCodes else { throw .scansNoCodes(profile.name) }
        guard !life.state.isReplaced else { throw .deviceReplaced }
        try life.requireUnlocked()
        guard life.state.isOnline else { throw .offline }
    }
}
