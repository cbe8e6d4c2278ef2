internal import Biometrics
internal import DeviceProfiles
internal import PlatformErrors
package import ReferenceApp
package import SimulatedDevice

extension SimulatedDevice {
    /// The name that the platform gives the device's first sensor.
    package var sensorName: SensorName {
        guard let sensor = profile.sensors.first else { return .none }
        return switch (profile.platform, sensor.modality) {
        case (.ios, .face), (.macos, .face): .faceID
        case (.ios, _), (.macos, _): .touchID
        case (.windows, _): .windowsHello
        case (_, .face), (_, .iris): .face
        case (_, .fingerprint), (_, .voice): .fingerprint
        }
    }
}
