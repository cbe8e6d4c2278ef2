/// The name of a device's sensor, as its platform calls it.
package enum SensorName: String, CaseIterable, Sendable {
    case faceID = "Face ID"
    case touchID = "Touch ID"
    case fingerprint = "Fingerprint"
    case face = "Face unlock"
    case windowsHello = "Windows Hello"
    /// A device without a sensor.
    case none = "Biometric login"
}
