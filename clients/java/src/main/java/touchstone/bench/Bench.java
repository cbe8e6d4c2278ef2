package touchstone.bench;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import touchstone.bench.models.DeviceState;
import touchstone.bench.models.EventList;
import touchstone.bench.models.Person;

/**
 * Devices of a running control API.
 *
 * <p>The extension for JUnit has one for each test; {@link #close()} ends the devices that it started.
 */
public final class Bench implements AutoCloseable {
    private final Transport transport;
    private final List<SimulatedDevice> devices = new ArrayList<>();

    /** The control API of a running {@code touchstone control} or {@code touchstone serve --control}. */
    public Bench(URI url, String token) {
        transport = new Transport(url, token);
    }

    /** The devices of a program that this process started. */
    public Bench(ControlProcess process) {
        this(process.url(), process.token());
    }

    /** The names of the available profiles. */
    public List<String> profiles() {
        return StreamSupport.stream(transport.request("GET", "/v1/profiles", null).spliterator(), false)
                .filter(profile -> profile.has("title")).map(profile -> profile.get("name").asText()).toList();
    }

    /** Starts a phone, tablet or computer of this profile. */
    public Phone startPhone(String profile) {
        return startPhone(profile, DeviceSettings.DEFAULT);
    }

    /** Starts a phone, tablet or computer of this profile. */
    public Phone startPhone(String profile, DeviceSettings settings) {
        return (Phone) start(profile, settings, true);
    }

    /** Starts a security key of this profile. */
    public SecurityKey startSecurityKey(String profile) {
        return startSecurityKey(profile, DeviceSettings.DEFAULT);
    }

    /** Starts a security key of this profile. */
    public SecurityKey startSecurityKey(String profile, DeviceSettings settings) {
        return (SecurityKey) start(profile, settings, false);
    }

    private synchronized SimulatedDevice start(String profile, DeviceSettings settings, boolean isPhone) {
        DeviceState state = transport.request("POST", "/v1/devices", settings.order(profile), DeviceState.class);
        String name = state.status().name();
        // A device with a screen has a life of its own.
        SimulatedDevice device = state.status().life() != null ? new Phone(transport, name) : new SecurityKey(transport, name);
        device.checksActs = settings.checksActs();
        if (device instanceof Phone != isPhone) {
            device.close();
            throw new TouchstoneException(isPhone
                    ? profile + " is a security key. Take a SecurityKey, or the profile of a phone or computer."
                    : profile + " is a phone or computer. Take a Phone, or the profile of a security key.");
        }
        devices.add(device);
        return device;
    }

    /** The devices that this bench started and that still run, in their order. */
    public synchronized List<SimulatedDevice> devices() {
        return devices.stream().filter(device -> !device.isClosed()).toList();
    }

    /** The kept events of all devices after the event with this ID; 0 for all. */
    public EventList events(long since) {
        return transport.request("GET", "/v1/events?since=" + since, null, EventList.class);
    }

    /** Throws {@code IdleActsException} if acts that were planned on this bench's devices had no effect. */
    public void checkActs() {
        Map<String, Person> acts = new LinkedHashMap<>();
        for (SimulatedDevice device : devices()) {
            try {
                device.checkActs();
            } catch (IdleActsException error) {
                acts.putAll(error.acts());
            }
        }
        if (!acts.isEmpty()) {
            throw new IdleActsException(acts);
        }
    }

    /** Forgets the plans: {@link #checkActs} and the end of the devices then throw nothing for them. */
    public void forgetPlans() {
        for (SimulatedDevice device : devices()) {
            if (device.hasPlan) {
                device.user().forgetPlan();
            }
        }
    }

    /** Ends the devices, the last one first. Throws {@code IdleActsException} afterwards if planned acts had no effect. */
    @Override
    public void close() {
        List<SimulatedDevice> running = devices();
        Map<String, Person> acts = new LinkedHashMap<>();
        TouchstoneException failure = null;
        for (int place = running.size() - 1; place >= 0; place--) {
            try {
                running.get(place).close();
            } catch (IdleActsException error) {
                acts.putAll(error.acts());
            } catch (TouchstoneException error) {
                failure = error;
            }
        }
        if (failure != null) {
            throw failure;
        }
        if (!acts.isEmpty()) {
            throw new IdleActsException(acts);
        }
    }
}
