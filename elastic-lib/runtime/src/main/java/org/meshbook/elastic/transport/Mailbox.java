package org.meshbook.elastic.transport;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Messages for one device, from any thread; taken by the device's own thread in its own order.
final class Mailbox {
    private final LossBoard losses;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Mail.Key, Mail> mails = new HashMap<>();
    private long finishedOp = -1;

    Mailbox(LossBoard losses) {
        this.losses = losses;
        losses.onChange(this::wake);
    }

    void put(Mail.Key key, Mail mail) {
        lock.lock();
        try {
            // Late mail of an operation that ended early; nobody will ask for it.
            if (key.op() > finishedOp) {
                mails.put(key, mail);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    Mail.Bytes take(Mail.Key key, int fromSlice) throws FaultException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                var mail = mails.remove(key);
                if (mail == null) {
                    var fault = losses.fault(key.op(), fromSlice);
                    if (fault != null) {
                        throw new FaultException(fault);
                    }
                    changed.await();
                    continue;
                }
                switch (mail) {
                    case Mail.Bytes bytes -> {
                        return bytes;
                    }
                    case Mail.Failed(var fault) -> throw new FaultException(fault);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Drops what was not taken of operations up to this one, and what comes late.
    void finish(long op) {
        lock.lock();
        try {
            finishedOp = Math.max(finishedOp, op);
            if (!mails.isEmpty()) {
                mails.keySet().removeIf(key -> key.op() <= finishedOp);
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return mails.size();
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
