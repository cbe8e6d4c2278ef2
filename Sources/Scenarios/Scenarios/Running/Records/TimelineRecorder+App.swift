internal import AppHost
internal import ReferenceApp

extension TimelineRecorder {
    func note(_ event: AppHost.Event, device: String) {
        switch event {
        case .screen(let screen, let message): add(.screen, screen.rawValue, detail: message, device: device)
        case .exchange(let exchange): add(.http, exchange.line, device: device)
        }
    }
}
