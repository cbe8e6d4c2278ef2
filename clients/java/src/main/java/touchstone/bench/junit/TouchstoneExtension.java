package touchstone.bench.junit;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import touchstone.bench.Bench;
import touchstone.bench.DeviceSettings;
import touchstone.bench.IdleActsException;
import touchstone.bench.Phone;
import touchstone.bench.SecurityKey;
import touchstone.bench.TouchstoneException;

/**
 * Simulated devices for tests with JUnit 5.
 *
 * <p>Parameters of test methods, of {@code @BeforeEach} and {@code @BeforeAll} methods and of constructors may be {@code @Device(…) Phone},
 * {@code @Device(…) SecurityKey} and {@link Bench}. The first one starts {@code touchstone control}, which ends with the test run. A device
 * ends with its test, or with its class where a {@code @BeforeAll} method takes it.
 *
 * <p>A test fails if acts that it planned had no effect. The failure of a test carries the events of its devices.
 *
 * <p>{@code TOUCHSTONE_URL} and {@code TOUCHSTONE_TOKEN}, or the configuration parameters {@code touchstone.url} and {@code touchstone.token},
 * name a control API that runs already. {@code TOUCHSTONE}, or {@code touchstone.program}, names the program.
 */
public final class TouchstoneExtension
        implements ParameterResolver, AfterTestExecutionCallback, AfterEachCallback, AfterAllCallback {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(TouchstoneExtension.class);

    /** Public for JUnit. */
    public TouchstoneExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Bench.class || type == Phone.class || type == SecurityKey.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        Device device = parameter.findAnnotation(Device.class).orElse(null);
        if (type == Bench.class) {
            if (device != null) {
                throw new ParameterResolutionException("A Bench takes no @Device. Remove it, or take a Phone or a SecurityKey.");
            }
            return test(context).bench();
        }
        if (device == null) {
            throw new ParameterResolutionException("The parameter " + parameter.getParameter().getName()
                    + " names no device. Write @Device(\"PROFILE\") before it; `touchstone profiles list` lists the profiles.");
        }
        try {
            Bench bench = test(context).bench();
            return type == Phone.class
                    ? bench.startPhone(device.value(), settings(device))
                    : bench.startSecurityKey(device.value(), settings(device));
        } catch (TouchstoneException error) {
            throw new ParameterResolutionException(error.getMessage(), error);
        }
    }

    private static DeviceSettings settings(Device device) {
        return new DeviceSettings(
                device.name().isEmpty() ? null : device.name(),
                device.user() == Device.User.WAITS ? "ask" : null,
                device.clock() == Device.Clock.REAL ? "real" : "simulated",
                device.seed() == 0 ? null : device.seed(),
                device.checksActs());
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            // That failure says more than the acts that were left.
            allOf(context).forEach(test -> test.bench().forgetPlans());
        } else {
            allOf(context).forEach(test -> test.bench().checkActs());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        context.getExecutionException().ifPresent(failure -> allOf(context).forEach(test -> test.report(failure, context)));
        end(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        end(context);
    }

    private static void end(ExtensionContext context) {
        TestDevices test = own(context);
        if (test == null) {
            return;
        }
        try {
            test.bench().close();
        } catch (IdleActsException error) {
            // Another method of the class planned them, after the test; a failure of the test says more.
            if (context.getExecutionException().isEmpty()) {
                throw error;
            }
        }
    }

    /** The devices of this test or class, made with the first parameter. */
    private static TestDevices test(ExtensionContext context) {
        return context.getStore(SPACE).getOrComputeIfAbsent(
                context.getUniqueId(), id -> new TestDevices(RunningControl.of(context.getRoot().getStore(SPACE), context)), TestDevices.class);
    }

    private static TestDevices own(ExtensionContext context) {
        return context.getStore(SPACE).get(context.getUniqueId(), TestDevices.class);
    }

    /** The devices of the test, then those of its class and of the classes around it. */
    private static Stream<TestDevices> allOf(ExtensionContext context) {
        return Stream.iterate(context, found -> found != null, found -> found.getParent().orElse(null))
                .map(TouchstoneExtension::own).filter(test -> test != null);
    }
}
