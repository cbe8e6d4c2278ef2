internal import Causes
internal import DeviceProfiles

extension SimulatedDevice {
    /// Checks that the device can scan a QR code now: a phone that is unlocked and online.
    package func requireScanning() throws(DeviceRefusal) {
        guard profile.scansCodes else { throw .scansNoCodes(profile.name) }
        guard !life.state.isReplaced else { throw .deviceReplaced }
        do {
            try life.requireUnlocked()
        } catch {
            throw DeviceRefusal(error.cause, "the phone is locked; unlock it before it scans a code")
        }
        guard life.state.isOnline else {
            throw DeviceRefusal(.offline, "the phone has no network; end its airplane mode before it scans a code")
        }
    }
}
