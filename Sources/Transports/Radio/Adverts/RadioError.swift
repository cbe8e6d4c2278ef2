internal import MachineNeeds

/// The reason why a radio does not work, with the remedy.
package enum RadioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Service data of too many bytes; the associated value is their number.
    case serviceDataTooLong(Int)
    /// The socket of a simulated radio cannot be used.
    case socket(String)
    /// The radio has been closed.
    case closed
    /// No message bus answers at an address.
    case noBus(address: String, problem: String)
    /// The bus has no service `org.bluez`.
    case noBluetoothService(address: String)
    /// BlueZ has no adapter.
    case noAdapter
    /// The adapter of a name is off.
    case adapterOff(String)
    /// The adapter of a name cannot broadcast.
    case noAdvertising(String)
    /// BlueZ refuses a request; the values are the request and the reason.
    case refused(String, reason: String)
    /// The bus daemon does not start.
    case noBusDaemon(String)

    package var description: String {
        switch self {
        case .serviceDataTooLong(let count):
            "the advert has \(count) bytes of service data, and \(Advert.longestServiceData) are the most; shorten it"
        case .socket(let problem): "the simulated radio cannot use its socket: \(problem)"
        case .closed: "the radio is closed; open another one"
        case .noBus(let address, let problem):
            MachineUse.bluetooth.pointed(
                "no message bus answers at \(address): \(problem); start the system's D-Bus, or set "
                    + "\(BlueZRadio.addressVariable) to the address of a bus")
        case .noBluetoothService(let address):
            MachineUse.bluetooth.pointed(
                "the message bus at \(address) has no service org.bluez; install BlueZ and start its service `bluetooth`"
            )
        case .noAdapter:
            MachineUse.bluetooth.pointed("BlueZ has no Bluetooth adapter; plug one in, or use a simulated radio")
        case .adapterOff(let name):
            MachineUse.bluetooth.pointed(
                "the Bluetooth adapter \(name) is off; switch it on, for example with `\(MachineNeed.bluetooth.activation ?? "")`"
            )
        case .noAdvertising(let name):
            "the Bluetooth adapter \(name) cannot broadcast adverts; use one with Bluetooth Low Energy's peripheral role"
        case .refused(let request, let reason):
            "BlueZ refuses \(request): \(reason); look at the adapter with `bluetoothctl show`"
        case .noBusDaemon(let problem):
            MachineUse.phone.pointed(
                "dbus-daemon does not start: \(problem); \(MachineNeed.busDaemon.installation), or make room for its socket in "
                    + "the folder for temporary files")
        }
    }
}
