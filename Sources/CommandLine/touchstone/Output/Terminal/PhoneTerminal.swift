import CTAPHybrid
import HybridLink
import KeyBench
import QRPictures

/// Shows the QR codes for a phone on standard error, and what its connection does.
struct PhoneTerminal: Sendable {
    /// Writes a code to a file; nil for none.
    let write: (@Sendable (QRModules) throws -> Void)?
    /// The name for the phone's link; nil for none.
    let linkName: String?
    let links: LinkFolder

    @Sendable func show(_ sign: HybridPhone.Sign, _ selector: DeviceSelector) {
        switch sign {
        case .code(let contents): show(contents, selector)
        case .called(let name): Terminal.writeError("Calling the linked phone \(name).")
        case .found: Terminal.writeError("A phone is near; connecting.")
        case .connected: Terminal.writeError("The phone is connected.")
        case .linked(let phone): keep(phone, selector)
        case .forgotten(let phone): forget(phone, selector)
        }
    }

    private func show(_ contents: QRContents, _ selector: DeviceSelector) {
        let text = contents.text
        do {
            let code = try QRModules(text: text)
            Terminal.writeErrorPicture(code.lines(colored: Terminal.usesColourForErrors))
            do {
                try write?(code)
            } catch {
                Terminal.writeError("The QR code is not written: \((error as? CommandError)?.message ?? "\(error)").")
            }
        } catch {
            Terminal.writeError("The QR code is not shown as a picture: \(error).")
        }
        // A line of its own, so that a script finds it.
        Terminal.writeErrorPicture([text])
        let wait = "This end waits for the phone."
        if case .hybrid(.bluetooth) = selector {
            Terminal.writeError("Scan it with a phone that has Bluetooth on (untried). \(wait)")
        } else {
            Terminal.writeError("Scan it with `touchstone device scan '\(QRContents.prefix)…'`. \(wait)")
        }
    }

    private func keep(_ phone: LinkedPhone, _ selector: DeviceSelector) {
        guard let linkName, case .hybrid(let air) = selector else { return }
        do throws(LinkError) {
            try links.keep(KeptLink(phone, air), as: linkName)
            Terminal.writeError("Linked: --device hybrid:\(linkName) reaches \(phone.name) without a code.")
        } catch {
            Terminal.writeError("The link is not kept: \(error).")
        }
    }

    private func forget(_ phone: LinkedPhone, _ selector: DeviceSelector) {
        let kept: String? = if case .link(let name) = selector { name } else { linkName }
        guard let name = kept else { return }
        links.forget(name)
        Terminal.writeError("The phone \(phone.name) no longer knows the link \(name), which is removed.")
    }
}
