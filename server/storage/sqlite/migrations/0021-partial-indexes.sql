-- Nearly all entries are changes of records (topic 1). An index of them would cost each change a page: they are read in the order of the
-- log, in parts.
DROP INDEX activityOfTopic;
DROP INDEX activityOfPerson;
CREATE INDEX activityOfTopic ON activity (topic, id) WHERE topic <> 1;
CREATE INDEX activityOfPerson ON activity (person, topic, id) WHERE topic <> 1;
