/// Home of each role, live data, and the queue of activities.
extension ReferenceApp {
    mutating func showHome(_ message: AppMessage? = nil, isLoading: Bool = true) {
        guard let user = session?.user else { return showProviderSelection() }
        (purpose, awaited, protectedAction, buttonAfterRefresh) = (nil, nil, nil, nil)
        show(user.role.home, message ?? offlineMessage)
        if isOnline, isLoading { loadHome() }
    }

    mutating func loadHome() {
        if let session, !isRefreshing { send(.home(accessToken: session.accessToken)) }
    }

    mutating func homeLoaded(_ answer: AppAnswer) {
        guard session != nil else { return }
        if let data = answer.value(HomeData.self) {
            isAccessDoubted = false
            if screen.isHome, message == .savedData { message = nil }
            follow(data.role)
            keep { $0.cachedItems = data.lines }
            follow(data.policy)
            sendQueue()
        } else if answer.isOutage {
            if screen.isHome { message = isOnline ? .savedData : .offline }
        } else if answer.isUnauthorized {
            accessRefused()
        }
    }

    /// Follows a role that the member system has changed: home is the one of the new role.
    private mutating func follow(_ role: AppRole?) {
        guard let role, var session, session.user.role != role else { return }
        session.user.role = role
        keep(session)
        if screen.isHome { show(role.home, message) } else if screen == .people { showHome(.roleChanged) }
    }

    /// The indicator of saved data; nil while the network is reachable.
    var offlineMessage: AppMessage? {
        guard !isOnline else { return nil }
        return preferences.sessionEndsAt.map { now >= $0 } == true ? .offlineSessionExpired : .offline
    }

    /// The message about a request without an answer.
    var outageMessage: AppMessage { isOnline ? .serviceUnavailable : session == nil ? .loginOffline : .needsNetwork }

    mutating func networkChanged(_ isOnline: Bool) {
        let wasOnline = self.isOnline
        self.isOnline = isOnline
        guard isOnline != wasOnline else { return }
        finishLogout()
        // Kept data give way to the server's, which need a new proof.
        if isOnline, screen == .personalData, message == .offline { showHome() }
        if isOnline, message?.isAboutNetwork == true { message = nil }
        guard session != nil else { return }
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
        guard let session, !isRefreshing, deliveredKey == nil, isOnline, let first = waiting.first else { return }
        deliveredKey = first.key
        send(.activity(first, accessToken: session.accessToken))
    }

    mutating func activitySent(_ activity: AppPreferences.QueuedActivity, _ answer: AppAnswer) {
        if deliveredKey == activity.key { deliveredKey = nil }
        // An activity that the server has stored is delivered, also after another user's login.
        if answer.isSuccess { keep { $0.queue.removeAll { $0.key == activity.key } } }
        guard let session, session.user.id == activity.user else { return }
        if answer.isSuccess {
            isAccessDoubted = false
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
