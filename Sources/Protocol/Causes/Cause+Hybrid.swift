/// The reasons why a phone does not answer the computer whose QR code it scans.
extension Cause {
    /// The phone does not accept the QR code.
    public static let codeInvalid = Cause("codeInvalid")
    /// The QR code is too old, or its time is in the future.
    public static let codeExpired = Cause("codeExpired")
    /// The computer has no Bluetooth adapter that is on.
    public static let bluetoothUnavailable = Cause("bluetoothUnavailable")
    /// The computer hears no advert of the phone.
    public static let phoneNotNear = Cause("phoneNotNear")
    /// The tunnel service is not reached, or refuses the phone or the computer.
    public static let tunnelUnavailable = Cause("tunnelUnavailable")
    /// The phone or its tunnel service stays silent.
    public static let phoneSilent = Cause("phoneSilent")
    /// The connection ended before the answer.
    public static let connectionLost = Cause("connectionLost")
    /// A message between the phone and the computer violates the hybrid transport.
    public static let connectionInvalid = Cause("connectionInvalid")
}
