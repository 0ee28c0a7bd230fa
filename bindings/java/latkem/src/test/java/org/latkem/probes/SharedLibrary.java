// An application is the first to use a latkem that a server shares among all. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.TimeUnit;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

/** Prints whether its class loader can be unloaded while a key of another application lives. */
public final class SharedLibrary {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    private SharedLibrary() {}

    /** Calls, from a class and a thread of its own, what the server shares. */
    public static final class First implements Runnable {
        /** A value of a class of the application. */
        static final class Value {}

        static final InheritableThreadLocal<Value> INHERITED = new InheritableThreadLocal<>();

        @Override
        public void run() {
            INHERITED.set(new Value());
            ParameterSet.ML_KEM_512.generateKeyPair().close();
        }
    }

    /** Defines {@link First} and its value anew; everything else is the server's. */
    private static final class OfApplication extends URLClassLoader {
        OfApplication(URL classes) {
            super(new URL[] {classes}, SharedLibrary.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.startsWith(First.class.getName()) ? findClass(name) : super.loadClass(name, resolve);
        }
    }

    /** Runs an application in a thread group of its own. */
    public static void main(String[] arguments) throws Exception {
        WeakReference<ClassLoader> loader = start();
        KemKeyPair ofAnother = ParameterSet.ML_KEM_768.generateKeyPair();
        long begin = System.nanoTime();
        while (loader.get() != null && System.nanoTime() - begin < PATIENCE) {
            System.gc();
            Thread.sleep(100);
        }
        System.out.println("loader=" + (loader.get() == null ? "unloaded" : "kept"));
        ofAnother.close();
    }

    private static WeakReference<ClassLoader> start() throws Exception {
        URL classes = SharedLibrary.class.getProtectionDomain().getCodeSource().getLocation();
        OfApplication loader = new OfApplication(classes);
        Runnable first = (Runnable)
                loader.loadClass(First.class.getName()).getConstructor().newInstance();
        Thread thread = new Thread(new ThreadGroup("application"), first);
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
        return new WeakReference<>(loader);
    }
}
