/// Home of each role, live data, and the queue of activities.
extension ReferenceApp {
    mutating func showHome(_ message: AppMessage? = nil) {
        guard let user = session?.user else { return showProviderSelection() }
        (purpose, awaited, protectedAction) = (nil, nil, nil)
        show(user.role.home, message ?? offlineMessage)
        if isOnline { loadHome() }
    }

    mutating func loadHome() {
        if let session, !isRefreshing { send(.home(accessToken: session.accessToken)) }
    }

    mutating func homeLoaded(_ answer: AppAnswer) {
        guard session != nil else { return }
        if let data = answer.value(HomeData.self) {
            isAccessDoubted = false
            keep { $0.cachedItems = data.lines }
            retryQueue()
        } else if answer.isOutage {
            if screen.isHome { message = .offline }
        } else if answer.isUnauthorized {
            accessRefused()
        }
    }

    /// The indicator of saved data; nil while the network is reachable.
    var offlineMessage: AppMessage? {
        guard !isOnline else { return nil }
        return preferences.sessionEndsAt.map { now >= $0 } == true ? .offlineSessionExpired : .offline
    }

    mutating func networkChanged(_ isOnline: Bool) {
        let wasOnline = self.isOnline
        self.isOnline = isOnline
        guard session != nil, isOnline != wasOnline else { return }
        guard isOnline else {
            if screen.isHome { message = offlineMessage }
            return
        }
        if screen.isHome { message = nil }
        // The refresh decides whether the session lives; the queue follows it.
        refresh()
    }

    /// The user's activities that wait; another user's wait for that user's next login.
    private var waiting: [AppPreferences.QueuedActivity] { preferences.waitingActivities }

    var queueMessage: AppMessage? { waiting.isEmpty ? nil : .queued(waiting.count) }

    /// Queues an activity, with a key by which the server recognises a second delivery.
    mutating func registerActivity() {
        guard let user = preferences.user, let text = fields[.activity], !text.isEmpty else { return }
        fields[.activity] = nil
        let key = LoginAttempt.base64URL(random(12))
        keep { $0.queue.append(AppPreferences.QueuedActivity(key: key, text: text, user: user.id)) }
        message = queueMessage
        if isOnline { sendQueue() }
    }

    /// Sends the oldest activity, one at a time; each answer sends the next.
    mutating func sendQueue() {
        guard let session, !isRefreshing, !isDelivering, isOnline, let first = waiting.first else { return }
        isDelivering = true
        send(.activity(first, accessToken: session.accessToken))
    }

    /// Sends the activities that an outage held up, once there is a sign that the service is back.
    mutating func retryQueue() { sendQueue() }

    mutating func activitySent(_ activity: AppPreferences.QueuedActivity, _ answer: AppAnswer) {
        isDelivering = false
        guard session != nil else { return }
        if answer.isSuccess {
            isAccessDoubted = false
            keep { $0.queue.removeAll { $0.key == activity.key } }
            if screen == .activities { message = queueMessage ?? .activitySent }
            sendQueue()
        } else if answer.isUnauthorized {
            accessRefused()
        }
    }
}

extension AppAnswer {
    var isUnauthorized: Bool { if case .response(status: 401, _) = self { true } else { false } }
}
