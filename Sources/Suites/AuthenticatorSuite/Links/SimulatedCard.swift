internal import CTAP
internal import CTAPNFC

/// A simulated device on a simulated reader, whose field is switched on with the first command.
actor SimulatedCard: APDUChannel {
    private let card: NFCCard
    private var isPowered = false

    init(_ device: any CTAPDevice, u2f: (any U2FDevice)?) {
        card = NFCCard(device: device, u2f: u2f.map { $0.answerU2F })
    }

    func transmit(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        if !isPowered {
            isPowered = true
            await card.powerOn()
        }
        guard let answer = await card.transmit(apdu) else { throw .disconnected("the card is out of the field") }
        return answer
    }

    /// Takes the card off the reader; the next command puts it back.
    func lift() async {
        isPowered = false
        await card.powerOff()
    }
}
